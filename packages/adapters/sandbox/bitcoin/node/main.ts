import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { Schema } from "effect"
import { addressToScript } from "../../../src/chains/bitcoin/readAddress.ts"
import { SandboxError } from "../../SandboxError.ts"
import { EsploraRefusal } from "./esploraResponses.ts"
import { esploraRoutes } from "./esploraRoutes.ts"
import { FeeLevel } from "./FeeLevel.ts"
import { RegtestNode } from "./RegtestNode.ts"

/** Options of this process, as JSON in its first argument. */
const Options = Schema.Struct({
  folder: Schema.String,
  host: Schema.String,
  clockOffsetSeconds: Schema.Int,
  blockEveryMs: Schema.Int,
  /** Outputs of the first block after the initial blocks. */
  firstPayments: Schema.Array(Schema.Struct({ address: BitcoinAddress, satoshis: Schema.Int }))
})

const options = Schema.decodeUnknownSync(Schema.fromJsonString(Options))(process.argv[2])
/** Number of empty blocks after a block with transactions, so that the transactions become final. */
const EMPTY_BLOCKS = 8

const scriptOf = (address: BitcoinAddress) => Uint8Array.from(Buffer.from(addressToScript(address).slice(2), "hex"))

const outputOf = ({ address, satoshis }: (typeof options)["firstPayments"][number]) => ({
  script: scriptOf(address),
  value: BigInt(satoshis)
})

const Request = Schema.Union([
  /** Mines blocks that pay the sandbox's miner, or an address. */
  Schema.Struct({ mine: Schema.Int, address: Schema.optionalKey(BitcoinAddress) }),
  Schema.Struct({ reorg: Schema.Int }),
  Schema.Struct({ satoshisPerVbyte: Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })) }),
  Schema.Struct({
    address: BitcoinAddress,
    satoshis: Schema.Int.check(Schema.isBetween({ minimum: 546, maximum: 1e15 }))
  }),
  Schema.Struct({ clockOffsetSeconds: Schema.Int }),
  /** Whether blocks are mined automatically. If not, unconfirmed transactions can be replaced. */
  Schema.Struct({ hasBlocks: Schema.Boolean }),
  Schema.Struct({ status: Schema.Literal(true) })
])
const decodeRequest = Schema.decodeUnknownSync(Schema.fromJsonString(Request))

const fees = new FeeLevel()
const node = await RegtestNode.open(options.folder, options.firstPayments.map(outputOf))
node.clockOffsetSeconds = options.clockOffsetSeconds

let hasBlocks = true

const handleControlRequest = async (body: string): Promise<unknown> => {
  const request = decodeRequest(body)
  let txid: string | null = null
  if ("mine" in request)
    await node.mine(request.mine, request.address === undefined ? undefined : scriptOf(request.address))
  if ("reorg" in request) await node.reorgBlocks(request.reorg)
  if ("satoshisPerVbyte" in request) fees.satoshisPerVbyte = request.satoshisPerVbyte
  if ("hasBlocks" in request) hasBlocks = request.hasBlocks
  if ("clockOffsetSeconds" in request) node.clockOffsetSeconds = request.clockOffsetSeconds
  if ("satoshis" in request) txid = await node.pay([outputOf(request)])
  const { height } = node.index.tip
  return {
    height,
    waiting: node.index.unconfirmedTransactions.length,
    satoshisPerVbyte: fees.satoshisPerVbyte,
    hasBlocks,
    txid
  }
}

const lastUsedHeight = (): number => {
  for (let height = node.index.tip.height; height > 0; height -= 1) {
    if (node.index.block(height)!.txids.length > 1) return height
  }
  return 0
}

const isBlockDue = () =>
  node.index.unconfirmedTransactions.length > node.belowFeeRate(fees.floor).length ||
  node.index.tip.height < lastUsedHeight() + EMPTY_BLOCKS

const clock = setInterval(() => {
  if (hasBlocks && isBlockDue()) void node.mineAboveFeeRate(fees.floor)
}, options.blockEveryMs)

const esplora = esploraRoutes(node, fees)

const respond = (response: ServerResponse, status: number, body: unknown): void => {
  const isText = typeof body === "string"
  response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json" })
  response.end(isText ? body : JSON.stringify(body))
}

const statusOf = (cause: unknown): number => {
  if (cause instanceof EsploraRefusal) return cause.status
  return cause instanceof SandboxError || cause instanceof Schema.SchemaError ? 400 : 500
}

const server = createServer(async (request, response) => {
  try {
    const path = (request.url ?? "/").split("?")[0]!
    const method = request.method ?? "GET"
    const body = await text(request)
    if (path === "/control") return respond(response, 200, await handleControlRequest(body))
    const result = path.startsWith("/esplora/") ? await esplora(method, path.slice("/esplora".length), body) : undefined
    return result === undefined ? respond(response, 404, "endpoint does not exist") : respond(response, 200, result)
  } catch (cause) {
    return respond(response, statusOf(cause), cause instanceof Error ? cause.message : String(cause))
  }
})

const stop = async (): Promise<void> => {
  clearInterval(clock)
  server.close()
  server.closeAllConnections()
  await node.close()
  process.exit(0)
}
// The sandbox's process has ended or closed the channel.
process.once("disconnect", () => void stop())
process.on("SIGTERM", () => void stop())

server.listen(0, options.host, () => process.send?.({ port: (server.address() as AddressInfo).port }))
