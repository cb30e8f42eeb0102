"""The proxy: the OpenAI chat completions API in front of any server that speaks it, with the stream gate in between.

    sse, chat, completion, injection, asking    without input and output: what comes in, and what goes out for it
    upstream, relay, app                        the network around them

A request is read, its user's memories may be put into the prompt, it goes upstream, and each choice of what comes back
passes a guard of its own. Everything that is not a chat completion goes through as it is.
"""
