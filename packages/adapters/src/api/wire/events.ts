import { transactionEvents } from "@countersign/core/accounting/history"
import { taxEvents } from "@countersign/core/accounting/tax"
import { fiatEvents, registrationEvents } from "@countersign/core/fiat"
import { businessSessionEvents, individualSessionEvents } from "@countersign/core/identity"
import { webhookEvents } from "@countersign/core/tenancy/webhooks"
import { walletEvents } from "@countersign/core/wallets/registry"
import { Schema } from "effect"
import { FiatOrderBody } from "./fiat.ts"
import { instant, number, numberOrNull, text, textOrNull } from "./fields.ts"
import { historyFields } from "./history.ts"
import { taxExportFields } from "./tax.ts"
import { registrationEventFields, sessionEventFields } from "./verification.ts"
import { walletFields } from "./wallets.ts"

/** The fields that every event has in addition to those of the resource. */
const eventFields = {
  metadataKey: textOrNull("Key of the first pair of the resource's metadata; null if there is no metadata"),
  metadataValue: textOrNull("Value of the first pair of the resource's metadata; null if there is no metadata"),
  sequence: number("Sequence number of the event within its resource, from 1 without gaps"),
  previousStatus: textOrNull("Previous status of the resource; null if there is none")
}

const eventBody = <Fields extends Schema.Struct.Fields>(
  identifier: string,
  types: ReadonlyArray<string>,
  resource: { readonly fields: Fields; readonly description: string }
) =>
  Schema.Struct({
    type: Schema.Literals(types).annotate({ description: "Type of the event" }),
    timestamp: instant("Time of the event"),
    data: Schema.Struct({ ...resource.fields, ...eventFields }).annotate({ description: resource.description })
  }).annotate({ identifier, description: "The body of an event" })

const TransactionEvent = eventBody("TransactionEvent", transactionEvents.types, {
  fields: historyFields,
  description: "The transaction, in the format of the history"
})

const WalletEvent = eventBody("WalletEvent", walletEvents.types, {
  fields: {
    ...walletFields,
    chainId: numberOrNull("Chain on which the wallet was deployed; null if the event does not belong to a chain")
  },
  description: "The wallet, in the format of the API"
})

const WebhookTestEvent = eventBody("WebhookTestEvent", webhookEvents.types, {
  fields: { webhookId: text("Id of the tested webhook") },
  description: "The webhook"
})

const TaxExportEvent = eventBody("TaxExportEvent", taxEvents.types, {
  fields: taxExportFields,
  description: "The month's export, without the email address"
})

const VerificationEvent = eventBody(
  "VerificationEvent",
  [...individualSessionEvents.types, ...businessSessionEvents.types],
  { fields: sessionEventFields, description: "The session, without personal data" }
)

const FiatRegistrationEvent = eventBody("FiatRegistrationEvent", registrationEvents.types, {
  fields: registrationEventFields,
  description: "The registration, without personal data"
})

const FiatOrderEvent = eventBody("FiatOrderEvent", fiatEvents.types, {
  fields: FiatOrderBody.fields,
  description: "The fiat order, in the format of the API"
})

/** Bodies of all event types that the service sends, for the API reference. */
export const eventBodies = [
  TransactionEvent,
  WalletEvent,
  TaxExportEvent,
  VerificationEvent,
  FiatRegistrationEvent,
  FiatOrderEvent,
  WebhookTestEvent
] as const
