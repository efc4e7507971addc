import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { connect as connectTls } from "node:tls"
import { waitUntil } from "../../../core/test/support/until.ts"

/** Provides the proxies in docs/deploy. Tests of a proxy are skipped if it is not installed on this machine. */

/** Debian installs nginx in a folder that is in root's PATH only. */
const PATH = `${process.env.PATH}:/usr/sbin`

const isInstalled = (program: string, version: string): boolean =>
  spawnSync(program, [version], { env: { ...process.env, PATH } }).error === undefined

/** Returns a configuration of docs/deploy without comments. */
export const proxyConfiguration = (name: string): string =>
  readFileSync(new URL(`../../../../docs/deploy/${name}`, import.meta.url), "utf8").replaceAll(/^\s*#.*$/gmu, "")

export interface Proxy {
  readonly name: "Caddy" | "nginx"
  readonly isInstalled: boolean
  /**
   * Writes the configuration of docs/deploy with the ports and files of the test. Returns the command that starts the
   * proxy.
   */
  readonly prepare: (setup: ProxySetup) => readonly [program: string, words: ReadonlyArray<string>]
}

interface ProxySetup {
  readonly folder: string
  readonly port: number
  readonly upstreamPort: number
  readonly certificate: string
  readonly key: string
}

const canMakeCertificates = isInstalled("openssl", "version")

const makeNginx = (siteOf: (setup: ProxySetup) => string): Proxy => ({
  name: "nginx",
  isInstalled: canMakeCertificates && isInstalled("nginx", "-v"),
  prepare: (setup) => {
    const { folder } = setup
    const siteText = siteOf(setup)
    writeFileSync(join(folder, "site.conf"), siteText)
    const temporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
      .join(" ")
    // The workers of nginx must be able to read the folder. nginx ignores `user` if it is not started by root.
    const configurationFile = join(folder, "nginx.conf")
    writeFileSync(
      configurationFile,
      `user root; daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${temporaryPaths} include site.conf; }`
    )
    return ["nginx", ["-e", "stderr", "-p", folder, "-c", configurationFile]]
  }
})

const nginx = makeNginx(({ certificate, folder, key, port, upstreamPort }) =>
  proxyConfiguration("nginx.conf")
    .replace("127.0.0.1:3000", `127.0.0.1:${upstreamPort}`)
    .replace("listen 443 ", `listen 127.0.0.1:${port} `)
    .replace("listen 80;", `listen unix:${folder}/http.socket;`)
    .replace(/ssl_certificate .*;/u, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/u, `ssl_certificate_key ${key};`)
    .replaceAll("api.example.com", "localhost")
)

/** Builds an nginx whose site contains only `proxy_pass` and these settings. */
export const makeBareNginx = (settings: string): Proxy =>
  makeNginx(
    ({ certificate, key, port, upstreamPort }) =>
      `server { listen 127.0.0.1:${port} ssl http2; ssl_certificate ${certificate}; ssl_certificate_key ${key}; location / { proxy_pass http://127.0.0.1:${upstreamPort}; ${settings} } }`
  )

const caddy: Proxy = {
  name: "Caddy",
  isInstalled: canMakeCertificates && isInstalled("caddy", "version"),
  prepare: ({ certificate, folder, key, port, upstreamPort }) => {
    const siteText = proxyConfiguration("Caddyfile")
      .replace("127.0.0.1:3000", `127.0.0.1:${upstreamPort}`)
      .replace("api.example.com {", `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
    const configurationFile = join(folder, "Caddyfile")
    writeFileSync(configurationFile, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${siteText}`)
    return ["caddy", ["run", "--adapter", "caddyfile", "--config", configurationFile]]
  }
}

export const proxies: ReadonlyArray<Proxy> = [nginx, caddy]

const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

const makeCertificate = (folder: string) => {
  const certificate = join(folder, "certificate.pem")
  const key = join(folder, "key.pem")
  const opensslArguments = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -out ${certificate} -keyout ${key}`
  const { status, stderr } = spawnSync("openssl", opensslArguments.split(" "), { encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
  return { certificate, key }
}

export interface ProxyResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** Starts a proxy in front of a local port, and a client that uses HTTP/2 over TLS. */
export const startProxy = async (proxy: Proxy, upstreamPort: number) => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-proxy-"))
  mkdirSync(join(folder, "logs"))
  const files = makeCertificate(folder)
  const port = await findFreePort()
  const [program, args] = proxy.prepare({ folder, port, upstreamPort, ...files })
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, HOME: folder },
    stdio: ["ignore", "ignore", "pipe"]
  })
  let log = ""
  child.stderr.on("data", (text) => {
    log += text
  })
  const exitPromise = new Promise<void>((resolve) => child.once("exit", () => resolve()))

  const ca = readFileSync(files.certificate)
  const createConnection = () =>
    connectTls({ host: "127.0.0.1", port, ca, servername: "localhost", ALPNProtocols: ["h2"] })
  const openConnection = () => connect(`https://localhost:${port}`, { createConnection })
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const session = openConnection()
      session.once("connect", () => session.close(() => resolve(true)))
      session.once("error", () => resolve(false))
    })
  await waitUntil(isListening, (isConnected) => {
    if (child.exitCode !== null) throw new Error(`${proxy.name} did not start.\n${log}`)
    return isConnected
  })
  const session = openConnection()

  /** Starts a request without sending its body. */
  const startRequest = (method: string, path: string, headers: Record<string, string> = {}) => {
    const stream = session.request({ ":method": method, ":path": path, ...headers }, { endStream: method === "GET" })
    const response = new Promise<ProxyResponse>((resolve, reject) => {
      let text = ""
      let responseHeaders: IncomingHttpHeaders & IncomingHttpStatusHeader = {}
      stream.setEncoding("utf8")
      stream.once("response", (received) => {
        responseHeaders = received
      })
      stream.on("data", (part) => {
        text += part
      })
      // Ends the request. A proxy that rejects the body may have closed the stream before.
      const settle = () =>
        responseHeaders[":status"] === undefined
          ? reject(new Error(`${proxy.name} did not respond.\n${log}`))
          : resolve({ status: responseHeaders[":status"], headers: responseHeaders, text })
      stream.once("end", settle)
      stream.once("close", settle)
      stream.once("error", settle)
    })
    return { stream, answer: response }
  }
  const send = async (method: string, path: string, body?: Uint8Array, headers: Record<string, string> = {}) => {
    const { answer, stream } = startRequest(method, path, headers)
    if (method !== "GET") stream.end(body)
    return answer
  }

  return {
    begin: startRequest,
    send,
    protocol: () => session.alpnProtocol,
    stop: async () => {
      session.destroy()
      child.kill("SIGTERM")
      await exitPromise
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
