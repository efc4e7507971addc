import { Mailer, MailNotSent } from "@countersign/core/tenancy/mail"
import { Effect, Layer } from "effect"

const PROBLEM = "this service has no mail server configured"

/** Used by a host application without a mail server: every email fails. */
export const layerNoMailer = Layer.succeed(
  Mailer,
  Mailer.of({ problem: PROBLEM, send: () => Effect.fail(new MailNotSent({ reason: PROBLEM, isPermanent: false })) })
)
