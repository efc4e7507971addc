import { connect, type Socket } from "node:net"
import { startAttacked } from "./attacks/AttackedService.ts"

/**
 * Measures a project's requests while clients without an API key send only the beginnings of requests: 520 requests of
 * 400 bytes each, to one route after another. Run it with `npm run bench:slow-clients -w packages/http`. CLIENTS
 * changes their number.
 */

const clients = Number(process.env.CLIENTS ?? 520)
const targets = ["/api/v1/kyc/uploads", "/callbacks/blindpay", "/callbacks/sumsub"] as const
const REQUESTS = 57
const PAUSE_MS = 100

const service = await startAttacked()
const port = Number(new URL(service.url).port)
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const openSlow = (path: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" }, () => {
      const head = `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 100000\r\n\r\n`
      socket.write(`${head}--b\r\ncontent-disposition: form-data; name="bucket"\r\n\r\n`.padEnd(400, "x"))
      resolve(socket)
    })
    socket.on("error", () => undefined).resume()
  })

const statuses = async (path: string, apiKey: string) => {
  const counts = new Map<number, number>()
  for (let i = 0; i < REQUESTS; i++) {
    const { status } = await fetch(service.url + path, { headers: { "x-api-key": apiKey } })
    counts.set(status, (counts.get(status) ?? 0) + 1)
    await pause(PAUSE_MS)
  }
  return [...counts].map(([status, count]) => `${count} × ${status}`).join(", ")
}

try {
  const rows: Record<string, object> = {}
  for (const target of targets) {
    const sockets = await Promise.all(Array.from({ length: clients }, () => openSlow(target)))
    await pause(500)
    await service.load()
    const responses = await statuses("/api/v1/wallets", service.apiKey)
    const { rssMb, stallMs } = await service.load()
    rows[target] = { "GET /api/v1/wallets": responses, "longest stall, ms": stallMs.toFixed(0), "memory, MB": rssMb }
    for (const socket of sockets) socket.destroy()
    await pause(500)
  }
  console.table(rows)
} finally {
  service.stop()
}
