export {
  ExtensionSerializers,
  eventSerializers,
  type KnownSerializer,
  layerEventSerializer
} from "./eventSerializer.ts"
export { type ResourceSerializer, resourceSerializer } from "./ResourceSerializer.ts"
export { type CountersignEvent, cursorOf, positionOf, serializeEventOrNull } from "./streamedEvents.ts"
export { transactionBodies } from "./transactionSerializer.ts"
