export { Overloaded } from "./Overloaded.ts"
export { ProjectTurns, Turns } from "./Turns.ts"
