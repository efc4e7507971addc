import { createHash, createHmac } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/**
 * Emulates the part of S3 that the service uses: objects, listings, conditional writes, multipart uploads, and
 * Signature Version 4 as AWS documents it.
 */

export const s3Keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" }
export const S3_REGION = "eu-central-1"

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex")
const hmac = (key: string | Uint8Array, data: string) => createHmac("sha256", key).update(data).digest()

const CLOCK_TOLERANCE_MS = 15 * 60_000

const encodeStrictly = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

const LIST_PAGE_SIZE = 2

const xmlDocument = (text: string) => `<?xml version="1.0" encoding="UTF-8"?>${text}`

/**
 * Returns why a request is rejected; null if it is accepted.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
const refusalOf = (request: IncomingMessage, body: Buffer, nowMs: number): string | null => {
  const { authorization = "" } = request.headers
  const { date, headers, id, region, signature } =
    /^AWS4-HMAC-SHA256 Credential=(?<id>[^/]+)\/(?<date>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, SignedHeaders=(?<headers>[\w;-]+), Signature=(?<signature>[\da-f]{64})$/u.exec(
      authorization
    )?.groups ?? {}
  if (id === undefined) return "AccessDenied"
  if (id !== s3Keys.accessKeyId) return "InvalidAccessKeyId"
  const time = String(request.headers["x-amz-date"])
  const signedAtMs = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, "$1-$2-$3T$4:$5:$6Z"))
  if (!(Math.abs(nowMs - signedAtMs) <= CLOCK_TOLERANCE_MS)) return "RequestTimeTooSkewed"
  const signedHeaders = headers!.split(";")
  if (
    !signedHeaders.includes("host") ||
    Object.keys(request.headers).some((name) => name.startsWith("x-amz-") && !signedHeaders.includes(name))
  )
    return "AccessDenied"
  const contentHash = String(request.headers["x-amz-content-sha256"])
  if (contentHash !== "UNSIGNED-PAYLOAD" && contentHash !== sha256(body)) return "XAmzContentSHA256Mismatch"
  const { pathname, searchParams } = new URL(request.url!, "http://s3")
  const canonicalRequest = [
    request.method,
    pathname,
    [...searchParams]
      .map((pair) => pair.map(encodeStrictly).join("="))
      .toSorted()
      .join("&"),
    ...signedHeaders.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    "",
    headers,
    contentHash
  ].join("\n")
  const scope = `${date}/${region}/s3/aws4_request`
  const stringToSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonicalRequest)].join("\n")
  const key = hmac(hmac(hmac(hmac(`AWS4${s3Keys.secretAccessKey}`, date!), S3_REGION), "s3"), "aws4_request")
  return hmac(key, stringToSign).toString("hex") === signature ? null : "SignatureDoesNotMatch"
}

const statusByCode: Readonly<Record<string, number>> = { XAmzContentSHA256Mismatch: 400 }

export const startS3Emulator = async () => {
  const objects = new Map<string, Buffer>()
  const requests: Array<string> = []
  /** The parts of each upload. */
  const uploads = new Map<string, Map<number, Buffer>>()
  const state = {
    fault: null as { readonly status: number } | "HANG_UP" | null,
    /** After this number of uploaded parts, every request fails. */
    partsUntilFault: Number.POSITIVE_INFINITY,
    nowMs: () => Date.now()
  }

  const respondWithXml = (response: ServerResponse, text: string) =>
    response.writeHead(200, { "content-type": "application/xml" }).end(xmlDocument(text))

  const listObjects = (bucket: string, prefix: string, token: string | null) => {
    const names = [...objects.keys()]
      .map((path) => decodeURIComponent(path).slice(`${bucket}/`.length))
      .filter((name) => name.startsWith(prefix) && (token === null || name > token))
      .toSorted()
    const page = names.slice(0, LIST_PAGE_SIZE)
    const nextToken =
      names.length > LIST_PAGE_SIZE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ""
    return `<ListBucketResult>${nextToken}${page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join("")}</ListBucketResult>`
  }

  /** Handles a request of a multipart upload or a listing. Returns false for other requests. */
  const respondToQuery = (request: IncomingMessage, response: ServerResponse, body: Buffer): boolean => {
    const { pathname, searchParams } = new URL(request.url!, "http://s3")
    const id = searchParams.get("uploadId")
    if (searchParams.has("list-type")) {
      respondWithXml(
        response,
        listObjects(pathname, searchParams.get("prefix") ?? "", searchParams.get("continuation-token"))
      )
    } else if (searchParams.has("uploads")) {
      const uploadId = `upload-${uploads.size + 1}`
      uploads.set(uploadId, new Map())
      respondWithXml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`
      )
    } else if (id === null) return false
    else if (request.method === "DELETE") {
      uploads.delete(id)
      send(response, 204)
    } else if (!uploads.has(id)) {
      send(response, 404, "NoSuchUpload")
    } else if (request.method === "PUT") {
      uploads.get(id)!.set(Number(searchParams.get("partNumber")), body)
      state.partsUntilFault -= 1
      if (state.partsUntilFault <= 0) state.fault = { status: 503 }
      response.writeHead(200, { etag: `"${sha256(body)}"` }).end()
    } else {
      const parts = uploads.get(id)!
      const completedParts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"(\w+)"<\/ETag>/gu)]
      const isIntact = completedParts.every(([, number, tag]) => sha256(parts.get(Number(number))!) === tag)
      objects.set(pathname, Buffer.concat(completedParts.map(([, number]) => parts.get(Number(number))!)))
      uploads.delete(id)
      respondWithXml(
        response,
        isIntact
          ? '<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>'
          : "<Error><Code>InvalidPart</Code></Error>"
      )
    }
    return true
  }

  const send = (response: ServerResponse, status: number, code: string | null = null, body?: Buffer) =>
    response
      .writeHead(status, { "content-type": code === null ? "application/octet-stream" : "application/xml" })
      .end(code === null ? body : `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`)

  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url!
      requests.push(`${request.method} ${path}`)
      if (state.fault === "HANG_UP") return request.socket.destroy()
      if (state.fault !== null) return send(response, state.fault.status, "SlowDown")
      const refusal = refusalOf(request, body, state.nowMs())
      if (refusal !== null) return send(response, statusByCode[refusal] ?? 403, refusal)
      if (respondToQuery(request, response, body)) return
      const object = objects.get(path)
      switch (request.method) {
        case "PUT":
          if (request.headers["if-none-match"] === "*" && object !== undefined) {
            return send(response, 412, "PreconditionFailed")
          }
          objects.set(path, body)
          return send(response, 200)
        case "DELETE":
          objects.delete(path)
          return send(response, 204)
        case "GET":
        case "HEAD":
          return object === undefined ? send(response, 404, "NoSuchKey") : send(response, 200, null, object)
        default:
          return send(response, 405, "MethodNotAllowed")
      }
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/bucket/documents of people`,
    objects,
    uploads,
    requests,
    state,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export type S3Emulator = Awaited<ReturnType<typeof startS3Emulator>>
