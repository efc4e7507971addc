export { Overloaded } from "./Overloaded.ts"
export { FairScheduler, ProjectScheduler } from "./Turns.ts"
