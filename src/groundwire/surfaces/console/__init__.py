"""The console: server-rendered pages for people over the same service. They parse, call the facade and render.

`install(app, service)` mounts it at `/console`. Nothing is fetched from anywhere else and no page carries a script or a
style in its text, so that the content security policy can forbid both; without JavaScript everything works by forms.
"""
