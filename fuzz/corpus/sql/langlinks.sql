-- Host: x    Database: dewiki
CREATE TABLE `langlinks` (
  `ll_from` int,
  `ll_lang` varbinary(20),
  KEY `a` (`b`)
) ENGINE=x;
INSERT INTO `langlinks` VALUES (1,'en'),(2,NULL);
INSERT INTO `langlinks` VALUES
(3,_binary 'a\'b'),
(4,'');
