import { SandboxError } from "../SandboxError.ts"

/** A rejection by the sandbox's bank, with the status of the provider's API. */
export class BankError extends SandboxError {
  readonly status: number
  /** Additional fields of the response. */
  readonly details: object
  constructor(message: string, status = 400, more: object = {}) {
    super({ message })
    this.status = status
    this.details = more
  }
}
