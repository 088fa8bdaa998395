"""The Model Context Protocol's own client asks an index: doppel serve --mcp."""

import asyncio
import json
import sys

import pytest

import doppel

mcp = pytest.importorskip("mcp")


def is_error(result):
    return getattr(result, "isError", None) or getattr(result, "is_error", None)


def test_the_protocols_client_lists_tools_calls_one_and_gets_an_error(tmp_path, en):
    from mcp.client.stdio import stdio_client

    pocket = str(tmp_path / "en.pocket")
    doppel.Index.build(en, out=pocket, texts=True)
    server = mcp.StdioServerParameters(command=sys.executable, args=["-m", "doppel", "serve", pocket, "--mcp"])

    async def talk():
        async with stdio_client(server) as (read, write), mcp.ClientSession(read, write) as session:
            await session.initialize()
            return ((await session.list_tools()).tools,
                    await session.call_tool("query", {"text": "Volcanoes seldom erupt without warning."}),
                    await session.call_tool("query", {}))

    tools, answer, wrong = asyncio.run(talk())
    assert {"query", "passages", "align"} <= {tool.name for tool in tools}
    assert not is_error(answer) and json.loads(answer.content[0].text)["hits"][0]["id"] == "en-0050"
    assert is_error(wrong)
