import { Schema } from "effect"

const MESSAGE = "Expected an email address, such as name@example.com"

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"

/** An email address without comments, quotes, spaces and non-ASCII characters. This prevents header injection. */
export const EmailAddress = Schema.String.annotate({ message: MESSAGE }).check(
  Schema.isMaxLength(254, { message: MESSAGE }),
  Schema.isPattern(new RegExp(`^(?=.{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`, "u"), {
    message: MESSAGE
  })
)
export type EmailAddress = typeof EmailAddress.Type
