import { computed, signal } from "@preact/signals"
import { makeSend } from "../src/client/http.ts"
import { type Client, createClient, type SignedQuote } from "../src/client/index.ts"
import { HOME } from "./route.ts"
import { serviceUrl } from "./service.ts"

/** Name of the API key in sessionStorage. The browser deletes it with the tab, and other tabs cannot read it. */
const STORED_AS = "countersign.apiKey"

const apiKey = signal(sessionStorage.getItem(STORED_AS))

const optionsOf = (apiKey: string) => ({ url: serviceUrl, apiKey, retries: 1 })

const clientOf = (key: string): Client => createClient(optionsOf(key))

/** The client; null if the user has not entered an API key, or has logged out. */
export const client = computed(() => (apiKey.value === null ? null : clientOf(apiKey.value)))

/** Checks the key with a request to the service, and stores it if the service accepts it. */
export const logIn = async (key: string): Promise<void> => {
  await clientOf(key).catalog.chains()
  sessionStorage.setItem(STORED_AS, key)
  apiKey.value = key
}

/** Id of the API key: the third part of the key, separated by underscores. Null without a key. */
export const keyId = computed(() => apiKey.value?.split("_")[2] ?? null)

/** Fetches a file from the service. The client has no call for files. */
export const fetchFile = async (path: string): Promise<Blob> => {
  const response = await fetch(new URL(path, serviceUrl), { headers: { "x-api-key": apiKey.value ?? "" } })
  if (response.ok) return response.blob()
  throw new Error(((await response.json()) as { readonly message: string }).message)
}

/**
 * Requests the signatures for a quote from the sandbox, which has the key of the demonstration owner. Only a sandbox
 * supports this.
 */
export const signInSandbox = (quoteId: string): Promise<SignedQuote> =>
  makeSend(optionsOf(apiKey.value ?? ""))("POST", "/api/v1/sandbox/sign", { body: { quoteId } })

export const logOut = (): void => {
  sessionStorage.removeItem(STORED_AS)
  apiKey.value = null
  location.hash = HOME
}
