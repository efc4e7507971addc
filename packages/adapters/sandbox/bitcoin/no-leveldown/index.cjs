/** bcoin is run in memory only. A database on disk is said to be missing, not found empty. */
const leveldown = () => {
  throw new Error("This node keeps its chain in memory: there is no leveldown.")
}
leveldown.destroy = leveldown
leveldown.repair = leveldown
module.exports = leveldown
