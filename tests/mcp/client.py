"""What the Python SDK of the Model Context Protocol sees of a server, as one line of JSON.

client.py MODE TOKEN URL            a server over HTTP; TOKEN may be empty
client.py MODE "" PROGRAM ARG...    a server that is started, on stdio

MODE is `legacy` for the handshake of 2025, `auto` for the newest protocol that both sides speak.
"""
import asyncio
import json
import sys
import time

import httpx2
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

mode, token, target, *rest = sys.argv[1:]


def server():
    if not target.startswith("http"):
        return StdioServerParameters(command=target, args=rest)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return streamable_http_client(target, http_client=httpx2.AsyncClient(headers=headers, timeout=30))


def told(result):
    text = "".join(block.text for block in result.content)
    return {"text": text, "structured": result.structured_content, "isError": bool(result.is_error)}


async def main():
    async with Client(server(), mode=mode, cache=None) as client:
        tools = (await client.list_tools()).tools
        tool = tools[0]
        seen = {"protocol": client.session.protocol_version}
        seen["tools"] = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in tools]
        # The SDK checks every structured result against the tool's schema.
        call = lambda **arguments: client.call_tool(tool.name, arguments)
        seen["head"] = told(await call(command="ls | head -2; pwd"))
        seen["inside"] = told(await call(command="pwd; ls | wc -l; false", cwd="/auth"))
        seen["hidden"] = told(await call(command="ls /internal"))
        seen["wrong"] = told(await client.call_tool(tool.name, {"commnd": "ls"}))
        seen["nowhere"] = told(await call(command="ls", cwd="/nosuch"))

        reports = []
        async def report(progress, total, message):
            reports.append(message)
        await client.call_tool(tool.name, {"command": "cat /auth/oauth.mdx >/dev/null; sleep 1.3"}, progress_callback=report)
        seen["reports"] = reports

        try:
            async with asyncio.timeout(0.5):
                await call(command="sleep 25")
        except TimeoutError:
            seen["cancelled"] = True
        started = time.monotonic()
        seen["after"] = told(await call(command="echo alive"))
        seen["waited"] = time.monotonic() - started

        listed = await client.list_resources()
        seen["resources"] = [one.name for one in listed.resources]
        seen["page"] = (await client.read_resource(str(listed.resources[0].uri))).contents[0].text[:20]
        print(json.dumps(seen))


asyncio.run(main())
