import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { layerServices } from "@countersign/adapters/service/composition"
import { layerHttpService, layerTracing } from "@countersign/http"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import Fastify from "fastify"
import { benchSettings } from "./database.ts"
import { executeSchema, notFound, openPeer, unauthorized } from "./peer.ts"

/**
 * Runs one of the three servers in a separate process: `server.ts KIND HOME`. Reports its URL, and later its resource
 * use.
 */

const [kind = "", home = ""] = process.argv.slice(2)
const readPath = "/api/v1/wallets"
const writePath = "/api/v1/crypto/execute-user-op"

const startOurs = async (): Promise<string> => {
  const service = layerHttpService({ port: 0, host: "127.0.0.1" }).pipe(
    Layer.provide(layerServices(benchSettings(home))),
    Layer.provide(layerTracing),
    Layer.provideMerge(Logger.layer([]))
  )
  return ManagedRuntime.make(service).runPromise(HttpServer.addressFormattedWith((url) => Effect.succeed(url)))
}

const startFastify = async (): Promise<string> => {
  const peer = openPeer(home)
  const fastify = Fastify({ logger: false })
  fastify.decorateRequest("projectId", "")
  fastify.addHook("onRequest", async (request, reply) => {
    const projectId = peer.projectOf(request.headers["x-api-key"] as string | undefined)
    if (projectId === null) return reply.code(401).send(unauthorized)
    request.setDecorator("projectId", projectId)
  })
  fastify.get(readPath, async (request) => peer.wallets(request.getDecorator<string>("projectId")))
  fastify.post<{ Body: { readonly userOperationHash: string } }>(
    writePath,
    { schema: { body: executeSchema } },
    async (request, reply) => {
      const { userOperationHash } = request.body
      return peer.hasOperation(userOperationHash, request.getDecorator<string>("projectId"))
        ? { userOperationHash }
        : reply.code(404).send(notFound(userOperationHash))
    }
  )
  return fastify.listen({ port: 0, host: "127.0.0.1" })
}

const hash32 = /^0x[a-fA-F0-9]{64}$/u
const hexBytes = /^0x([a-fA-F0-9]{2})*$/u

const startBare = (): Promise<string> => {
  const peer = openPeer(home)
  const server = createServer((request, response) => {
    const respond = (status: number, body: object) => {
      const text = JSON.stringify(body)
      response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) })
      response.end(text)
    }
    const projectId = peer.projectOf(request.headers["x-api-key"] as string | undefined)
    if (projectId === null) return respond(401, unauthorized)
    if (request.method === "GET") return respond(200, peer.wallets(projectId))
    let text = ""
    request.setEncoding("utf8").on("data", (chunk) => {
      text += chunk
    })
    request.on("end", () => {
      const { signature, userOperationHash } = JSON.parse(text)
      if (!hash32.test(userOperationHash) || !hexBytes.test(signature)) return respond(400, { statusCode: 400 })
      respond(peer.hasOperation(userOperationHash, projectId) ? 200 : 404, notFound(userOperationHash))
    })
  })
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

const start = { ours: startOurs, fastify: startFastify, bare: startBare }[kind]
if (start === undefined) throw new Error(`Unknown server: ${kind}`)
process.send?.({ url: await start() })
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.({ rssMb: Math.round(process.memoryUsage.rss() / 2 ** 20), cpuMicros: system + user })
})
