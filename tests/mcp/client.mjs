// What the TypeScript SDK of the Model Context Protocol sees of a server, as one line of JSON.
//
// client.mjs TOKEN URL            a server over HTTP; TOKEN may be empty
// client.mjs "" PROGRAM ARG...    a server that is started, on stdio
//
// It stands beside the SDK's node_modules, where Node looks for packages.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [token, target, ...rest] = process.argv.slice(2);
const headers = token ? { Authorization: `Bearer ${token}` } : {};
const transport = target.startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target), { requestInit: { headers } })
  : new StdioClientTransport({ command: target, args: rest });
const client = new Client({ name: "test", version: "1" });
await client.connect(transport);

const { tools } = await client.listTools();
const call = async (args, options) => {
  const result = await client.callTool({ name: tools[0].name, arguments: args }, undefined, options);
  const text = result.content.map((block) => block.text).join("");
  return { text, structured: result.structuredContent ?? null, isError: result.isError ?? false };
};

const seen = { server: client.getServerVersion().name, tools };
// The SDK checks every structured result against the tool's schema.
seen.head = await call({ command: "ls | head -2; pwd" });
seen.inside = await call({ command: "pwd; ls | wc -l; false", cwd: "/auth" });
seen.hidden = await call({ command: "ls /internal" });
seen.wrong = await call({ commnd: "ls" });
seen.nowhere = await call({ command: "ls", cwd: "/nosuch" });

seen.reports = [];
await call({ command: "cat /auth/oauth.mdx >/dev/null; sleep 1.3" }, { onprogress: ({ message }) => seen.reports.push(message) });

const abort = new AbortController();
setTimeout(() => abort.abort(), 500);
await call({ command: "sleep 25" }, { signal: abort.signal }).catch(() => (seen.cancelled = true));
const started = performance.now();
seen.after = await call({ command: "echo alive" });
seen.waited = (performance.now() - started) / 1000;

const { resources } = await client.listResources();
seen.resources = resources.map(({ name }) => name);
seen.page = (await client.readResource({ uri: resources[0].uri })).contents[0].text.slice(0, 20);
console.log(JSON.stringify(seen));
await client.close();
