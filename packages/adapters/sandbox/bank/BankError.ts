import { SandboxError } from "../SandboxError.ts"

/** A request that the bank refuses, as BlindPay does. */
export class BankError extends SandboxError {
  readonly status: number
  constructor(message: string, status = 400) {
    super({ message })
    this.status = status
  }
}
