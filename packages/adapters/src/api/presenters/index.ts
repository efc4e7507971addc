export { ExtensionPresenters, eventPresenters, type KnownPresenter, layerEventPresenter } from "./eventPresenter.ts"
export { type ResourcePresenter, resourcePresenter } from "./ResourcePresenter.ts"
export { type CountersignEvent, cursorOf, positionOf, presentEventOrNull } from "./streamedEvents.ts"
export { transactionBodies } from "./transactionPresenter.ts"
