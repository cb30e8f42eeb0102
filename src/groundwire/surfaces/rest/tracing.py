"""OpenTelemetry, where a deployment wants it: one span a request, without what was said and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    from opentelemetry.trace import TracerProvider

_NAME = "groundwire"


def make_provider() -> TracerProvider:
    """Sends spans to where the OTEL_* variables say."""
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise MissingExtra("tracing", "traces") from None
    provider = TracerProvider(resource=Resource.create({"service.name": _NAME}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


class Tracing:
    """Continues the trace that a request belongs to (`traceparent`), or begins one."""

    def __init__(self, app: ASGIApp, provider: TracerProvider) -> None:
        self._app = app
        self._tracer = provider.get_tracer(_NAME)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from opentelemetry.propagate import extract
        from opentelemetry.trace import SpanKind, StatusCode

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        carrier = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        context = extract({name: carrier[name] for name in ("traceparent", "tracestate") if name in carrier})
        with self._tracer.start_as_current_span(scope["method"], context, SpanKind.SERVER) as span:

            async def send_noted(message: Message) -> None:
                if message["type"] == "http.response.start":
                    span.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        span.set_status(StatusCode.ERROR)
                await send(message)

            try:
                await self._app(scope, receive, send_noted)
            finally:
                route = getattr(scope.get("route"), "path", "")
                span.update_name(f"{scope['method']} {route}".strip())
                span.set_attribute("http.request.method", scope["method"])
                span.set_attribute("http.route", route)
                span.set_attribute("groundwire.request_id", scope.get("state", {}).get("request_id", ""))
