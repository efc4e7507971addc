import { Schema } from "effect"

/** The sandbox cannot execute a request. The message states what happened, why, and the solution. */
export class SandboxError extends Schema.TaggedError<SandboxError>("@countersign/adapters/sandbox/SandboxError")(
  "SandboxError",
  { message: Schema.String, cause: Schema.optionalKey(Schema.Defect()) }
) {}

export const sandboxErrorFrom =
  (action: string) =>
  (cause: unknown): SandboxError =>
    cause instanceof SandboxError
      ? cause
      : new SandboxError({
          message: `The sandbox could not ${action}: ${cause instanceof Error ? cause.message : String(cause)}`,
          cause
        })
