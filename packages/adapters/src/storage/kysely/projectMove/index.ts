export {
  cancelMove,
  MoveRefused,
  type MoveRequest,
  type MoveResult,
  type MoveStep,
  moveProject,
  type RemainingWork
} from "./moveProject.ts"
