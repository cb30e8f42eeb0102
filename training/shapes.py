"""Shapes that a traced graph works out anew in every call, though only batch and length are not known beforehand."""

from __future__ import annotations

import numpy as np
from onnx import AttributeProto, GraphProto, ModelProto, numpy_helper

from training.network import Shape


def fix_shapes(model: ModelProto, shape: Shape) -> int:
    """Give every cut into heads, and every joining of them, its constant shape; returns how many there were.

    A zero in the shape keeps what the input has. The numbers that come out are the same, bit for bit.
    """
    return _fix(model.graph, shape, 0)


def _fix(graph: GraphProto, shape: Shape, before: int) -> int:
    """`before` were fixed already: a name of its own for each, since a branch sees the names around it."""
    makers = {output: node for node in graph.node for output in node.output}
    fixed = {4: [0, 0, shape.heads, shape.width // shape.heads], 3: [0, 0, shape.width]}
    count = 0
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                count += _fix(attribute.g, shape, before + count)
        maker = makers.get(node.input[1]) if node.op_type == "Reshape" else None
        if maker is None or maker.op_type != "Concat" or len(maker.input) not in fixed:
            continue
        name = f"known_shape_{before + count}"
        value = np.array(fixed[len(maker.input)], np.int64)
        graph.initializer.append(numpy_helper.from_array(value, name))
        node.input[1] = name
        count += 1
    _drop_unused(graph)
    return count


def _drop_unused(graph: GraphProto) -> None:
    while True:
        used = _list_used(graph)
        unused = [node for node in graph.node if used.isdisjoint(node.output)]
        if not unused:
            return
        for node in unused:
            graph.node.remove(node)


def _list_used(graph: GraphProto) -> set[str]:
    used = {output.name for output in graph.output}
    for node in graph.node:
        used.update(node.input)
        for attribute in node.attribute:
            if attribute.type == AttributeProto.GRAPH:
                used |= _list_used(attribute.g)
    return used
