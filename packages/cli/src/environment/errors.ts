import { Schema } from "effect"

/** No sandbox is running. The command needs a sandbox, or a service that the environment configures. */
export class NothingToConnectTo extends Schema.TaggedError<NothingToConnectTo>("cli/NothingToConnectTo")(
  "NOTHING_TO_CONNECT_TO",
  { home: Schema.String }
) {
  override get message(): string {
    return (
      `No sandbox is running in ${this.home}. Start one with \`countersign sandbox start\` (or npm start), ` +
      "or set DATABASE_URL and RPC_URL_<chain id> to use your own service."
    )
  }
}

export class SandboxUnreachable extends Schema.TaggedError<SandboxUnreachable>("cli/SandboxUnreachable")(
  "SANDBOX_UNREACHABLE",
  { url: Schema.String, reason: Schema.String }
) {
  override get message(): string {
    return `The sandbox at ${this.url} does not respond: ${this.reason}. Start it with \`countersign sandbox start\`.`
  }
}

/** The running sandbox rejected the request. */
export class SandboxRefused extends Schema.TaggedError<SandboxRefused>("cli/SandboxRefused")("SANDBOX_REFUSED", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}

/** A name, id or choice on the command line does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>("cli/NotFound")("CLI_NOT_FOUND", {
  what: Schema.String,
  hint: Schema.String
}) {
  override get message(): string {
    return `${this.what} ${this.hint}`
  }
}

/** The command cannot be executed with these arguments or in this state. */
export class CommandRefused extends Schema.TaggedError<CommandRefused>("cli/Refused")("CLI_REFUSED", {
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason
  }
}
