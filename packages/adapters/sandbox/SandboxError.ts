import { Schema } from "effect"

/** The sandbox cannot do what was requested. The message says what happened, why, and what to do. */
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
