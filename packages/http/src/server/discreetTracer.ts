import { Cause, Exit, Predicate, type Tracer } from "effect"

/** What a span may tell: patterns, statuses and statements without their values; no URL, address or header. */
const TOLD = /^(?:http\.(?:request\.method|response\.status_code|route)|db\.[a-z.]+|code\.[a-z.]+)$/u

const nameOf = (error: unknown): string =>
  Predicate.hasProperty(error, "_tag") && typeof error._tag === "string"
    ? error._tag
    : error instanceof Error
      ? error.name
      : "Error"

/** The sentence of an error may name a wallet or a host: its name says enough. */
const withoutSentences = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return exit
  const error = new Error(nameOf(Cause.squash(exit.cause)))
  error.name = error.message
  delete error.stack
  return Exit.fail(error)
}

/** The same tracer, to which spans tell nothing of who asks and of whom. */
export const discreetTracer = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span: (options) => {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    const end = span.end.bind(span)
    return Object.assign(span, {
      attribute: (key: string, value: unknown) => {
        if (TOLD.test(key)) attribute(key, value)
      },
      event: () => undefined,
      end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, withoutSentences(exit))
    })
  }
})
