export { FairScheduler, ProcessScheduler } from "./FairScheduler.ts"
