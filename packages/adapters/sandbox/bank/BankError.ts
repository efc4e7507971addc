import { SandboxError } from "../SandboxError.ts"

/** A request that a bank of the sandbox refuses, as the API of its provider does. */
export class BankError extends SandboxError {
  readonly status: number
  /** Further fields of the answer. */
  readonly more: object
  constructor(message: string, status = 400, more: object = {}) {
    super({ message })
    this.status = status
    this.more = more
  }
}
