export * from "./service/countersign/index.ts"
