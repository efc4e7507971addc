import { Context, Effect, Layer, Logger } from "effect"
import { McpProtocol, McpSchema, McpServer } from "effect/ai"
import { callService, type ServiceAddress } from "./callService.ts"
import { type EndpointTool, endpointTools } from "./tools.ts"

const INSTRUCTIONS =
  "Countersign prepares operations on smart wallets. The wallet's owner signs them, and the service executes and records them. " +
  'Amounts are decimal strings in token units, such as "1.5". `signData` of a quote contains the elements that the owner must sign. You have no key of an ' +
  "owner. Show the effects of the quote to the owner, who then signs it with the owner's own wallet."

const schemaOf = ({ description, endpoint, inputSchema, name }: EndpointTool) =>
  McpSchema.Tool.make({
    name,
    title: endpoint.summary,
    description,
    inputSchema,
    annotations: McpSchema.ToolAnnotations.make({
      readOnlyHint: endpoint.scope !== "execute",
      destructiveHint: endpoint.scope === "execute",
      idempotentHint: endpoint.method === "GET",
      openWorldHint: true
    })
  })

const objectOrUndefined = (text: string): unknown => {
  const value: unknown = text === "" ? undefined : JSON.parse(text)
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
}

const layerTools = (service: ServiceAddress, tools: ReadonlyArray<EndpointTool>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer.McpServer
      for (const tool of tools) {
        yield* server.addTool({
          tool: schemaOf(tool),
          annotations: Context.empty(),
          handle: (input) =>
            Effect.map(callService(service, tool.endpoint, input ?? {}), ({ isOk, text }) =>
              McpSchema.CallToolResult.make({
                content: [McpSchema.TextContent.make({ text })],
                ...(isOk ? { structuredContent: objectOrUndefined(text) } : { isError: true })
              })
            )
        })
      }
    })
  )

/** Serves the endpoints of a running service as Model Context Protocol tools over standard input and output. */
export const layerMcp = (service: ServiceAddress, allowExecute: boolean, version: string) =>
  McpServer.layerStdio({
    name: "countersign",
    version,
    instructions: INSTRUCTIONS,
    protocols: [McpProtocol.v2025_11_25, McpProtocol.v2025_06_18, McpProtocol.v2025_03_26, McpProtocol.v2024_11_05],
    registrations: layerTools(service, endpointTools(allowExecute))
  }).pipe(
    // Logs to standard error, because standard output is reserved for the protocol.
    Layer.provide(Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]))
  )
