import { Option, Schema } from "effect"

const Body = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.String,
    timestamp: Schema.String,
    data: Schema.Struct({
      sequence: Schema.optionalKey(Schema.Finite),
      previousStatus: Schema.optionalKey(Schema.NullOr(Schema.String)),
      status: Schema.optionalKey(Schema.String),
      id: Schema.optionalKey(Schema.String),
      walletAddress: Schema.optionalKey(Schema.String),
      webhookId: Schema.optionalKey(Schema.String)
    })
  })
)

const decode = Schema.decodeOption(Body)

/** Formats an event as one line: time, type, resource, sequence number, and status change. */
export const eventLine = (body: string): string =>
  Option.match(decode(body), {
    onNone: () => body.slice(0, 500),
    onSome: ({ data, timestamp, type }) => {
      const resource = data.id ?? data.walletAddress ?? data.webhookId ?? "-"
      const change = data.status === undefined ? "" : `  ${data.previousStatus ?? "new"} -> ${data.status}`
      return `${timestamp}  ${type}  ${resource}  #${data.sequence ?? "-"}${change}`
    }
  })
