export { type OperatorFunds, probeOperator } from "./probeFunds.ts"
export type { ProbeFailure } from "./probeHost.ts"
export { type NodeProbe, type NodeWay, probeNodes } from "./probeNodes.ts"
export { probeBundler, probePaymaster, type ServiceProbe } from "./probeServices.ts"
