/** `sonde mcp`: the tools of the service for an agent's program that starts its servers as processes. */
import { Command } from 'commander'
import { bridge } from '../agent-bridge.ts'
import { connect } from '../client.ts'
import type { CliDeps } from '../deps.ts'
import { examples } from './options.ts'

const CONFIGURATION = `
For Claude, Cursor, VS Code and others, in the file that lists their MCP servers:
  {"mcpServers": {"sonde": {"command": "sonde", "args": ["mcp"],
    "env": {"SONDE_URL": "https://sonde.example.com", "SONDE_API_KEY": "sonde_…"}}}}
Where it takes addresses, the service answers at SONDE_URL/v1/mcp with the key as Authorization: Bearer.
A key with scans:read, scans:write, artifacts:read and domains:read can use every tool; the service logs each call.
`

export const mcpCommand = (deps: CliDeps): Command =>
  new Command('mcp')
    .description(
      'tools for agents (Model Context Protocol) over stdin and stdout: scan, read findings, test hypotheses',
    )
    .addHelpText('after', `${examples('sonde mcp')}${CONFIGURATION}`)
    .action(async () => {
      const client = await connect(deps)
      await bridge(client, { signal: deps.signal, log: (line) => deps.screen.err(`${line}\n`) })
    })
