"""The face for agents: tools, resources and a prompt over the Model Context Protocol."""
