import { BankError } from "./BankError.ts"
import { idOf } from "./idOf.ts"
import type { SandboxBank } from "./SandboxBank.ts"

/** The path of BlindPay's API on the sandbox. */
export const BLINDPAY_PATH = "/blindpay"
export const BLINDPAY_UPLOAD_PATH = `${BLINDPAY_PATH}/v1/upload`
export const BLINDPAY_INSTANCE = "in_sandbox000000"
export const BLINDPAY_KEY = "sandbox"

export { type KycStatus, kycStatuses } from "./BankCustomers.ts"
export { BANK_ADDRESS } from "./bankChain.ts"
export { BLINDPAY_WEBHOOK_SECRET, DEMO_INDIVIDUAL, EXAMPLE_INDIVIDUAL, SandboxBank } from "./SandboxBank.ts"

interface BankRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string | undefined
  readonly key: string | null
  readonly text: string
}

/** Handles a request to BlindPay's API. Null for another path. */
export const bankResponseOrNull = async (
  bank: SandboxBank,
  { authorization, key, method, path, text }: BankRequest
) => {
  const prefix = `${BLINDPAY_PATH}/v1/instances/${BLINDPAY_INSTANCE}`
  const isUpload = method === "POST" && path.split("?")[0] === BLINDPAY_UPLOAD_PATH
  if (!isUpload && !path.startsWith(`${prefix}/`)) return null
  if (authorization !== `Bearer ${BLINDPAY_KEY}`)
    return { status: 401, body: { success: false, message: "Unauthorized" } }
  // The bank ignores the content of the file.
  if (isUpload) return { status: 200, body: { file_url: `https://files.blindpay.example/${idOf("file")}` } }
  try {
    const body = await bank.respond(method, path.slice(prefix.length), text === "" ? {} : JSON.parse(text), key)
    return { status: 200, body }
  } catch (cause) {
    if (!(cause instanceof BankError)) throw cause
    return { status: cause.status, body: { success: false, message: cause.message, ...cause.details } }
  }
}
