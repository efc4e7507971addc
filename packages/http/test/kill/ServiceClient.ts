export interface ApiResponse {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: read as a client without generated types does.
  readonly body: any
}

const MAX_ATTEMPTS = 200

/** Sends HTTP requests with a key of the project to servers that may be killed. */
export class ServiceClient {
  readonly #apiKey: string
  readonly #url: (nth: number) => Promise<string>
  #requests = 0

  /** @param urlOf Returns the URL of a server. Consecutive numbers rotate through the servers. */
  constructor(apiKey: string, urlOf: (nth: number) => Promise<string>) {
    this.#apiKey = apiKey
    this.#url = urlOf
  }

  /** Sends a POST if there is a body, otherwise a GET. Returns null if no complete JSON response arrives. */
  async ask(path: string, body?: object): Promise<ApiResponse | null> {
    const baseUrl = await this.#url(this.#requests++)
    try {
      const response = await fetch(baseUrl + path, {
        headers: { "x-api-key": this.#apiKey, "content-type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000)
      })
      return { status: response.status, body: await response.json() }
    } catch {
      // Waits, because the fleet may return the URL of a dead server for a moment.
      await new Promise((resolve) => setTimeout(resolve, 5))
      return null
    }
  }

  /** Retries until a server responds with a status below 500. Throws after `MAX_ATTEMPTS` attempts. */
  async untilSuccessful(path: string, body?: object): Promise<ApiResponse> {
    let lastText = ""
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const serviceResponse = await this.ask(path, body)
      if (serviceResponse !== null && serviceResponse.status < 500) return serviceResponse
      if (serviceResponse !== null) lastText = JSON.stringify(serviceResponse.body)
    }
    throw new Error(`${path}: no answer after ${MAX_ATTEMPTS} attempts; ${lastText}`)
  }
}
