export * from "./countersign/index.ts"
