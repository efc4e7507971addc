export * as OperationFollower from "./OperationFollower.ts"
