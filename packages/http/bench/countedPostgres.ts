import { connect as connectSocket, createServer, type Socket } from "node:net"
import { join } from "node:path"

/**
 * The type bytes of messages from a Postgres client. Query contains a statement and runs it. Parse stores a statement
 * under a name, Bind assigns a prepared statement to a portal, and Execute runs a portal.
 */
const [QUERY, PARSE, BIND, EXECUTE] = ["Q", "P", "B", "E"]

const textUntilZero = (bytes: Buffer, from: number): readonly [text: string, next: number] => {
  const end = bytes.indexOf(0, from)
  return [bytes.toString("utf8", from, end), end + 1]
}

/** Returns a function that reads the messages of a client and reports their statements. */
const statementReader = (onStatement: (sql: string) => void) => {
  const preparedStatements = new Map<string, string>()
  const portals = new Map<string, string>()
  let unreadBytes = Buffer.alloc(0)
  let hasStarted = false
  return (chunk: Buffer): void => {
    unreadBytes = Buffer.concat([unreadBytes, chunk])
    for (;;) {
      // The first message of a connection has no type byte.
      const header = hasStarted ? 5 : 4
      if (unreadBytes.length < header) return
      const length = unreadBytes.readUInt32BE(header - 4) + header - 4
      if (unreadBytes.length < length) return
      const type = hasStarted ? String.fromCharCode(unreadBytes[0]!) : ""
      const body = unreadBytes.subarray(header, length)
      unreadBytes = unreadBytes.subarray(length)
      hasStarted = true
      if (type === QUERY) onStatement(textUntilZero(body, 0)[0])
      if (type === PARSE) {
        const [name, next] = textUntilZero(body, 0)
        preparedStatements.set(name, textUntilZero(body, next)[0])
      }
      if (type === BIND) {
        const [portal, next] = textUntilZero(body, 0)
        portals.set(portal, preparedStatements.get(textUntilZero(body, next)[0]) ?? "")
      }
      if (type === EXECUTE) onStatement(portals.get(textUntilZero(body, 0)[0]) ?? "")
    }
  }
}

/**
 * Starts a proxy for a Postgres server on a Unix socket. It reports every statement. Returns the URL of the same
 * database through the proxy.
 */
export const startStatementProxy = async (url: string, onStatement: (sql: string) => void) => {
  const server = new URL(url)
  const socketPath = join(server.searchParams.get("host")!, `.s.PGSQL.${server.port === "" ? "5432" : server.port}`)
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connectSocket(socketPath)
    const readMessages = statementReader(onStatement)
    client.on("data", readMessages)
    client.pipe(upstream).pipe(client)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(socket)
      socket.on("error", () => other.destroy())
      socket.on("close", () => sockets.delete(socket))
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  const address = proxy.address()
  if (address === null || typeof address === "string") throw new Error("The proxy does not listen on a port.")
  return {
    url: `postgresql://${server.username}@127.0.0.1:${address.port}${server.pathname}`,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
