# What the adapters use, and no more: types are checked without the package being installed.
class BaseNode:
    def get_content(self) -> str: ...

class NodeWithScore:
    node: BaseNode

class QueryBundle: ...
