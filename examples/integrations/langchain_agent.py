"""A LangChain agent whose answers are checked against memory. The model here is a fake one that is wrong."""

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel

from groundwire import Groundwire
from groundwire.integrations.langchain import GroundedMiddleware, ground

model = GenericFakeChatModel(messages=iter(["You live in Rome.", "You live in Rome."]))

gw = Groundwire()
gw.remember("I live in Porto.", user="ada")

agent = create_agent(model, tools=[], middleware=[GroundedMiddleware(gw, user="ada")])
answer = agent.invoke({"messages": [{"role": "user", "content": "Where do I live?"}]})["messages"][-1]
print(answer.text)
print(answer.response_metadata["groundwire"]["hallucinations"])

chain = model | ground(gw, user="ada")
print(chain.invoke("Where do I live?").text)
