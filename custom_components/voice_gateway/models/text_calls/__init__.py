"""Parse the calls that a model writes as text, and those that a server sends.

Small models often choose the right tool and the right arguments, and then write the call into
their answer instead of making it: Qwen 2.5 Coder does so for every command. Each family of formats
has a module (`objects`, `calls`), with examples.

Text in the form of a call is executed and never spoken: as the tool that its name certainly refers
to, else under the written name, so that the error lists the tools for the model. A malformed text
that is certainly a call goes back to the model as that call's error. All other text stays text,
including JSON that the user asked for.
"""
