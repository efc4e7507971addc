/** bcoin is run in memory only. A database on disk is said to be missing, not found empty. */
const leveldown = () => {
  throw new Error("leveldown is not available, because this node keeps its chain in memory.")
}
leveldown.destroy = leveldown
leveldown.repair = leveldown
module.exports = leveldown
