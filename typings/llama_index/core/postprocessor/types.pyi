# What the adapters use, and no more: types are checked without the package being installed.
from llama_index.core.schema import NodeWithScore, QueryBundle

class BaseNodePostprocessor:
    @classmethod
    def class_name(cls) -> str: ...
    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]: ...
