"""An encoder that stops half-way when it is sure: one graph, whose upper layers are a branch that is seldom taken.

The lower layers give a first opinion. Where it is surer than a limit it is the answer, and the layers above are not
computed; otherwise the states go on. The runtime sees one model with one output and need not know.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, TensorProto, compose, helper, numpy_helper
from torch import Tensor, nn

from training.network import Verifier

STATES, FIRST, LOGITS, MASK = "states", "first_logits", "logits", "attention_mask"
UPPER = "upper_"
"""What the names of the branch begin with."""


class Lower(nn.Module):
    """Embeddings and the layers up to the first opinion."""

    def __init__(self, model: Verifier, order: tuple[int, ...]) -> None:
        super().__init__()
        self.model, self.order = model, list(order)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> tuple[Tensor, Tensor]:
        model = self.model
        states, bias = model.embed(input_ids, attention_mask, token_type_ids)
        states = model.climb(states, bias, 0, model.shape.early)[-1]
        return states, model.classify(states, attention_mask, early=True)[:, self.order]


class Upper(nn.Module):
    """The layers above it."""

    def __init__(self, model: Verifier, order: tuple[int, ...]) -> None:
        super().__init__()
        self.model, self.order = model, list(order)

    def forward(self, states: Tensor, attention_mask: Tensor) -> Tensor:
        model = self.model
        bias = model.hide(attention_mask, states)
        states = model.climb(states, bias, model.shape.early, model.shape.layers)[-1]
        return model.classify(states, attention_mask)[:, self.order]


def join(lower: Path, upper: Path, sure: float) -> ModelProto:
    """One graph of two: the upper one runs only where the first opinion of some pair is less sure than `sure`."""
    model = onnx.load(str(lower))
    branch = _as_branch(onnx.load(str(upper)).graph)
    stay = helper.make_graph(
        [helper.make_node("Identity", [FIRST], ["early_logits"])], "stay", [], [_describe("early_logits")]
    )
    graph = model.graph
    graph.node.extend(
        [
            helper.make_node("Softmax", [FIRST], ["first_shares"], axis=-1),
            helper.make_node("ReduceMax", ["first_shares"], ["first_best"], axes=[1], keepdims=0),
            helper.make_node("ReduceMin", ["first_best"], ["least_sure"], keepdims=0),
            helper.make_node("GreaterOrEqual", ["least_sure", "sure_enough"], ["may_stop"]),
            helper.make_node("If", ["may_stop"], [LOGITS], then_branch=stay, else_branch=branch),
        ]
    )
    graph.initializer.append(numpy_helper.from_array(np.array(sure, np.float32), "sure_enough"))
    del graph.output[:]
    graph.output.append(_describe(LOGITS))
    onnx.checker.check_model(model)
    return model


def _describe(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 3])


def _as_branch(graph: GraphProto) -> GraphProto:
    """A branch has no inputs: it takes what it needs from the graph around it, under the names used there."""
    named = compose.add_prefix_graph(graph, UPPER)
    outer = {UPPER + STATES: STATES, UPPER + MASK: MASK}
    for node in named.node:
        for i, name in enumerate(node.input):
            node.input[i] = outer.get(name, name)
    del named.input[:]
    del named.value_info[:]
    return named
