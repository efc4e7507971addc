import { SandboxError } from "../SandboxError.ts"

/** A request that Bridge refuses. */
export class BridgeRefusal extends SandboxError {
  readonly status: number
  /** Additional fields of the response. */
  readonly more: object
  constructor(message: string, status = 400, more: object = {}) {
    super({ message })
    this.status = status
    this.more = more
  }
}
