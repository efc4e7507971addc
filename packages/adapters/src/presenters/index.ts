export { eventPresenters, layerEventPresenter } from "./eventPresenter.ts"
export { LinkBase } from "./ResourcePresenter.ts"
