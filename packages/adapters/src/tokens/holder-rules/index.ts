export * as AllowListHolderRules from "./AllowListHolderRules.ts"
