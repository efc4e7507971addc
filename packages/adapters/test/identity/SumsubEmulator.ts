import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** Emulates the Sumsub endpoints that the service uses: applicants, documents, reviews and signed webhook messages. */

export const sumsubSecrets = { appToken: "sbx:token", secretKey: "secret key", webhookSecret: "webhook secret" }
export const sumsubLevels = { individual: "people-level", business: "companies level" }

export interface EmulatedImage {
  readonly idDocType: string
  readonly idDocSubType?: string
  readonly country: string
  readonly content: Buffer
  readonly type: string
}

interface EmulatedApplicant {
  readonly id: string
  readonly level: string
  readonly body: Record<string, unknown> & { readonly externalUserId: string }
  readonly images: Array<EmulatedImage>
  review: { reviewStatus: string; reviewResult?: Record<string, unknown> }
}

/** A fault of the server, before or after it has executed the request. */
export type SumsubFault =
  | { readonly _tag: "Status"; readonly status: number; readonly body?: object }
  | { readonly _tag: "Body"; readonly text: string }
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "AnswerLost" }

class Refusal extends Error {
  readonly status: number
  constructor(status: number, description: string) {
    super(description)
    this.status = status
  }
}

const CLOCK_TOLERANCE_SECONDS = 60
const documentTypes = new Set(["PASSPORT", "ID_CARD", "DRIVERS", "UTILITY_BILL", "COMPANY_DOC"])

export const startSumsubEmulator = async () => {
  const applicants = new Map<string, EmulatedApplicant>()
  const requests: Array<string> = []
  /** Faults, by the number of requests that precede them. */
  const faults = new Map<number, SumsubFault>()
  let outage: { readonly fault: SumsubFault; after: number } | null = null
  let nowMs = () => Date.now()

  const requireSignature = (request: IncomingMessage, body: Buffer) => {
    const { "x-app-access-sig": signature, "x-app-access-ts": time, "x-app-token": token } = request.headers
    if (token !== sumsubSecrets.appToken) throw new Refusal(401, "Invalid token")
    if (Math.abs(nowMs() / 1_000 - Number(time)) > CLOCK_TOLERANCE_SECONDS)
      throw new Refusal(401, "Request timestamp is invalid")
    const expectedSignature = createHmac("sha256", sumsubSecrets.secretKey)
      .update(`${String(time)}${request.method}${request.url}`)
      .update(body)
      .digest()
    const signatureBytes = Buffer.from(String(signature), "hex")
    if (signatureBytes.length !== expectedSignature.length || !timingSafeEqual(signatureBytes, expectedSignature)) {
      throw new Refusal(401, "Request signature mismatch")
    }
  }

  const applicantById = (id: string) => {
    const applicant = [...applicants.values()].find((one) => one.id === id)
    if (applicant === undefined) throw new Refusal(404, "Applicant not found")
    return applicant
  }
  const applicantBody = ({ body, id, review }: EmulatedApplicant) => ({
    id,
    externalUserId: body.externalUserId,
    type: body.type,
    review
  })

  const create = (level: string, text: string) => {
    if (!Object.values(sumsubLevels).includes(level)) throw new Refusal(404, "Level not found")
    const body = JSON.parse(text)
    const country = body.fixedInfo?.country ?? body.info?.companyInfo?.country
    if (!/^[A-Z]{3}$/u.test(country)) throw new Refusal(400, `Invalid country ${country}`)
    if (applicants.has(body.externalUserId)) throw new Refusal(409, "Applicant with external user id already exists")
    const id = applicants.size.toString(16).padStart(24, "6")
    const applicant = { id, level, body, images: [], review: { reviewStatus: "init" } }
    applicants.set(body.externalUserId, applicant)
    return applicantBody(applicant)
  }

  const addImage = async (applicant: EmulatedApplicant, request: IncomingMessage, body: Buffer) => {
    const type = String(request.headers["content-type"])
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData()
    const content = form.get("content")
    const metadata = JSON.parse(String(form.get("metadata")))
    if (!(content instanceof File)) throw new Refusal(400, "The field content is missing")
    if (!documentTypes.has(metadata.idDocType)) throw new Refusal(400, "Unknown idDocType")
    if (!/^[A-Z]{3}$/u.test(metadata.country)) throw new Refusal(400, "Invalid country")
    const hasFront = applicant.images.some(({ idDocSubType }) => idDocSubType === "FRONT_SIDE")
    if (metadata.idDocSubType === "BACK_SIDE" && !hasFront) throw new Refusal(400, "Send the front side first")
    if (applicant.review.reviewStatus !== "init") throw new Refusal(409, "Applicant is being checked")
    applicant.images.push({ ...metadata, content: Buffer.from(await content.arrayBuffer()), type: content.type })
    return metadata
  }

  const respond = async (request: IncomingMessage, body: Buffer): Promise<object> => {
    requireSignature(request, body)
    const url = new URL(request.url!, "http://sumsub")
    const route = `${request.method} ${url.pathname}`
    if (route === "POST /resources/applicants") return create(url.searchParams.get("levelName")!, body.toString())
    const externalUserId = /^GET \/resources\/applicants\/-;externalUserId=(.+)\/one$/u.exec(route)?.[1]
    if (externalUserId !== undefined) {
      const applicant = applicants.get(decodeURIComponent(externalUserId))
      if (applicant === undefined) throw new Refusal(404, "Applicant not found")
      return applicantBody(applicant)
    }
    const [, method, id, subpath] = /^(\w+) \/resources\/applicants\/(\w+)\/(.+)$/u.exec(route) ?? []
    if (method === undefined) throw new Refusal(404, "No such method")
    const applicant = applicantById(id!)
    if (method === "GET" && subpath === "metadata/resources") {
      return {
        items: applicant.images.map(({ country, idDocSubType, idDocType }, i) => ({
          id: String(i),
          idDocDef: { country, idDocType, ...(idDocSubType === undefined ? {} : { idDocSubType }) },
          deactivated: false
        })),
        totalItems: applicant.images.length
      }
    }
    if (method === "POST" && subpath === "info/idDoc") return addImage(applicant, request, body)
    if (method === "POST" && subpath === "status/pending") {
      applicant.review = { reviewStatus: "pending" }
      return { ok: 1 }
    }
    throw new Refusal(404, "No such method")
  }

  const send = (response: ServerResponse, status: number, body: object | string, retryAfter?: string) =>
    response
      .writeHead(status, {
        "content-type": "application/json",
        ...(retryAfter === undefined ? {} : { "retry-after": retryAfter })
      })
      .end(typeof body === "string" ? body : JSON.stringify(body))

  const takeFault = () => {
    const fault = faults.get(0)
    const laterFaults = [...faults].filter(([after]) => after > 0)
    faults.clear()
    for (const [after, laterFault] of laterFaults) faults.set(after - 1, laterFault)
    if (outage === null || fault !== undefined) return fault
    outage.after -= 1
    return outage.after < 0 ? outage.fault : undefined
  }

  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const fault = takeFault()
    void buffer(request).then(async (body) => {
      if (fault?._tag === "HangUp") return request.socket.destroy()
      if (fault?._tag === "Status") return send(response, fault.status, fault.body ?? {}, "10")
      if (fault?._tag === "Body") return send(response, 200, fault.text)
      const [status, responseBody] = await respond(request, body).then(
        (result) => [200, result] as const,
        (thrown) => {
          const [code, description] =
            thrown instanceof Refusal ? [thrown.status, thrown.message] : [500, String(thrown)]
          return [code, { description, code, correlationId: "c0ffee", errorCode: 1000 + code }] as const
        }
      )
      return fault?._tag === "AnswerLost" ? request.socket.destroy() : send(response, status, responseBody)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    applicants,
    requests,
    /** Sets the fault of the request that follows the next `after` requests. */
    fail: (fault: SumsubFault, after = 0) => void faults.set(after, fault),
    /** Sets the fault of all requests that follow `after` other requests, until `heal` is called. */
    failAll: (fault: SumsubFault, after = 0) => {
      outage = { fault, after }
    },
    /** Removes all faults. */
    heal: () => {
      faults.clear()
      outage = null
    },
    /** Sets the clock that the server uses to check the age of requests. */
    setClock: (clock: () => number) => {
      nowMs = clock
    },
    review: (externalUserId: string, verdict: "GREEN" | "RED", comment?: string) => {
      const reviewResult = {
        reviewAnswer: verdict,
        ...(verdict === "RED" ? { reviewRejectType: "RETRY", rejectLabels: ["LOW_QUALITY", "SCREENSHOTS"] } : {}),
        ...(comment === undefined ? {} : { moderationComment: comment })
      }
      applicants.get(externalUserId)!.review = { reviewStatus: "completed", reviewResult }
    },
    /** Returns a webhook message. */
    message: (externalUserId: string, algorithm: "sha1" | "sha256" | "sha512" = "sha256") => {
      const body = JSON.stringify({
        type: "applicantReviewed",
        applicantId: applicants.get(externalUserId)?.id ?? "5f",
        externalUserId,
        reviewStatus: "completed",
        reviewResult: { reviewAnswer: "GREEN" },
        createdAtMs: "2026-11-24 12:00:00.000"
      })
      const digest = createHmac(algorithm, sumsubSecrets.webhookSecret).update(body).digest("hex")
      const headers: Record<string, string> = {
        "x-payload-digest": digest,
        "x-payload-digest-alg": `HMAC_${algorithm.toUpperCase()}_HEX`
      }
      return { headers, body }
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

export type SumsubEmulator = Awaited<ReturnType<typeof startSumsubEmulator>>
