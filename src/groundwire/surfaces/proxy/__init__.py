"""The proxy: chat completions and responses, as OpenAI's APIs have them, in front of any server that speaks them, with
the stream gate in between.

    sse, injection, asking, dialects    without input and output: what comes in, and what goes out for it
    choices, chat, completion           chat completions, streamed and whole
    response_parts, _stream, _body      responses, streamed and whole
    upstream, relay, answering, app     the network around them

A request is read, its user's memories may be put into the prompt, it goes upstream, and each text of what comes back
passes a guard of its own. Everything else goes through as it is.
"""
