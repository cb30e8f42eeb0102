"""LlamaIndex: a response is evaluated against memory, and retrieved nodes that memory refutes are taken out."""

from llama_index.core.schema import NodeWithScore, TextNode

from groundwire import Groundwire
from groundwire.integrations.llamaindex import GroundednessEvaluator, RememberedFilter

gw = Groundwire()
gw.remember("I live in Porto.", user="ada")

evaluator = GroundednessEvaluator(gw, user="ada")
result = evaluator.evaluate(query="Where do I live?", response="You live in Rome.")
print(result.passing, result.score)

nodes = [NodeWithScore(node=TextNode(text=f"The user lives in {city}."), score=1.0) for city in ("Rome", "Porto")]
kept = RememberedFilter(gw=gw, user="ada").postprocess_nodes(nodes)
print([node.node.get_content() for node in kept])
