import { Mailer, MailNotSent } from "@countersign/core/tenancy/mail"
import { Effect, Layer } from "effect"

const PROBLEM = "this service has no mail server configured"

/** For a host without a mail server. */
export const layerNoMailer = Layer.succeed(
  Mailer,
  Mailer.of({ problem: PROBLEM, send: () => Effect.fail(new MailNotSent({ reason: PROBLEM, isPermanent: false })) })
)
