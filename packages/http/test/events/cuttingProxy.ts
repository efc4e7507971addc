import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/**
 * Starts a proxy that forwards connections, and breaks each one after `cutAfter()` bytes of the response. It calls
 * `cutAfter` once per connection.
 */
export const startCuttingProxy = async (port: number, cutAfter: () => number) => {
  let cutCount = 0
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1")
    let remainingBytes = cutAfter()
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => undefined)
      socket.on("close", () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream)
    upstream.on("data", (chunk) => {
      // The replacement has the same length, because the chunk header contains the length.
      const fastRetry = Buffer.from(chunk.toString("latin1").replace(/^retry: \d{4}$/mu, "retry: 0001"), "latin1")
      const segment = fastRetry.subarray(0, remainingBytes)
      remainingBytes -= segment.length
      client.write(segment)
      if (remainingBytes > 0) return
      cutCount += 1
      upstream.destroy()
      // Sends the written bytes, and then closes the connection in the middle of the response.
      client.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cutCount,
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}
