import { SandboxError } from "../SandboxError.ts"

/** The sandbox's bank rejects the request, with the status of the provider's API. */
export class BankError extends SandboxError {
  readonly status: number
  /** Further fields of the response. */
  readonly details: object
  constructor(message: string, status = 400, more: object = {}) {
    super({ message })
    this.status = status
    this.details = more
  }
}
