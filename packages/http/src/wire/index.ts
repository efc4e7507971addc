export { WireEventFilter } from "./eventTypes.ts"
export { AddressText, Decimal, Hash32Text, HexBytesText } from "./scalars.ts"
export { deliveryBody, endpointBody } from "./webhookTranslation.ts"
