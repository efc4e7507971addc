export { Overloaded } from "./Overloaded.ts"
export { FairScheduler as Turns, ProjectScheduler as ProjectTurns } from "./Turns.ts"
